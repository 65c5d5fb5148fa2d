import type { Connection } from '../../../../src/queue/types.ts';
import type { ServiceAdapter } from '../../../../src/servers/adapter.ts';
import type { FakeServer } from '../fakes/fake-server.ts';

/** A refusal that a server can give, with the result that the adapter must return for it. */
export interface Refusal {
  name: string;
  /** Prepares the fake or the link so that the server refuses the create. */
  given: (fake: FakeServer) => { url?: string; shortCode?: string; title?: string; expiresAt?: string };
  /** Expected result of the create. Checked with `toMatchObject`. */
  expected: { kind: string; code?: string; message?: string };
}

/** Everything that the conformance suite needs to test one adapter against its fake. */
export interface ConformanceCase {
  adapter: ServiceAdapter;
  newFake: () => FakeServer;
  /** Name of the variant, if one kind is tested with several settings of its server. */
  variant?: string;
  /** Parts of the connection that differ from the default, such as a domain. */
  connection?: (fake: FakeServer) => Partial<Connection>;
  /** All known refusals of the server, except a taken code, which the suite tests itself. */
  refusals: Refusal[];
  /** Number of links on a page of the list. The suite lists one more, to test paging. */
  pageSize?: number;
  /** Methods of the probe's requests, if not only GET. YOURLS reads its key only from forms and addresses. */
  probeMethods?: string[];
  /** Long URLs that the server stores in another form. The adapter must still find their links. */
  trickyUrls?: string[];
}
