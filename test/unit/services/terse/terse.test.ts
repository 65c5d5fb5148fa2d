import { FEATURE } from '@terse/contract/service-capabilities';
import { specificationAdapter, terseAdapter } from '../../../../src/services/terse/adapter.ts';
import { describeConformance } from '../conformance/conformance.ts';
import type { Refusal } from '../conformance/conformance-case.ts';
import { FakeTerse } from './fake-terse.ts';

const refusals: Refusal[] = [
  {
    name: 'a URL that is not a web address',
    given: () => ({ url: 'ftp://example.com/' }),
    expected: { kind: 'refused', code: 'invalid_url' },
  },
  {
    name: 'a URL of the server itself',
    given: () => ({ url: 'https://s.example/abc' }),
    expected: { kind: 'refused', code: 'target_refused' },
  },
];

describeConformance({ adapter: terseAdapter, newFake: () => new FakeTerse(), refusals, pageSize: 100 });

describeConformance({
  adapter: terseAdapter,
  variant: 'without idempotency keys',
  newFake: () => new FakeTerse([FEATURE.key, FEATURE.links]),
  refusals,
});

const [notWeb] = refusals;
describeConformance({
  adapter: specificationAdapter,
  newFake: () => new FakeTerse([]),
  refusals: notWeb ? [notWeb] : [],
});
