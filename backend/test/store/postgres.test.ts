import { postgres, serializable } from '../support/postgres.ts';
import { storeSuite } from './suite.ts';

storeSuite(postgres);
storeSuite(serializable);
