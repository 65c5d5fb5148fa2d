import type { RequestStatus } from '../queue/request-status.ts';
import type { Request } from '../queue/types.ts';
import { t } from '../ui/strings.ts';
import { when } from '../ui/when.ts';

/** Says so where a link would expire before its turn comes: it is not sent then. */
export function LateExpiry({ request, status, now }: { request: Request; status: RequestStatus; now: number }) {
  const expiresAt = Date.parse(request.options.expiresAt ?? '');
  const at = status.kind === 'waiting' ? (status.at ?? now) : null;
  if (at === null || !(expiresAt <= at)) return null;
  return <p class="result-warning">{t('expiresBefore', when(expiresAt, now))}</p>;
}
