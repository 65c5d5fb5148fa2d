import { page } from '../layout.ts';
import { overviewOf } from '../overview.ts';
import type { Page } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { overviewView } from './overview-view.ts';

/** The first page of whoever is signed in. */
export function overviewPages(services: Services): Page[] {
  return [
    {
      method: 'GET',
      path: '/overview',
      access: 'holder',
      async handle(context) {
        const overview = await overviewOf(services, context.var.session.accountId);
        const body = overviewView(overview, services.shortBaseUrl, readerTimes(context));
        return page(context, { title: 'Overview', section: 'overview', body });
      },
    },
  ];
}
