import { postgres } from '../support/postgres.ts';
import { storeSuite } from './suite.ts';

storeSuite(postgres);
