import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { connectionNames } from '../../../format/display-text.ts';
import { plural, t } from '../../../format/i18n.ts';
import { type CopyPlan, planCopy } from '../../../link-sync/plan-copy-to-server.ts';
import type { Connection, Link } from '../../../queue/types.ts';
import { ownShortUrls } from '../../../services/own-short-urls.ts';
import { targetsFor } from './target-servers.ts';

interface CopyDialogProps {
  links: Link[];
  /** Stored links of all servers, used to avoid copying a link twice. */
  known: Link[];
  connections: Connection[];
  now: number;
  copy: (connectionId: string, plan: CopyPlan) => void;
  close: () => void;
}

/**
 * Dialog in which the user copies links to another server. It also shows what the copies will lack, for example the
 * clicks.
 */
export function CopyDialog({ links, known, connections, now, copy, close }: CopyDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const targets = targetsFor(links, connections);
  const names = connectionNames(connections);
  const [chosenId, choose] = useState(targets[0]?.id ?? '');
  const target = targets.find(({ id }) => id === chosenId);
  const plan = useMemo(() => {
    const there = known.filter(({ connectionId }) => connectionId === chosenId);
    const isOwn = ownShortUrls(connections);
    return target ? planCopy(links, target, there, () => crypto.randomUUID(), now, isOwn) : null;
  }, [links, known, target, chosenId]);
  return (
    <dialog ref={dialog} class="confirm copy-to" aria-labelledby="copy-title" onClose={close}>
      <h2 id="copy-title">{t('copyToServer')}</h2>
      <div class="field">
        <label for="copy-target">{t('copyTarget')}</label>
        <select id="copy-target" class="input" value={chosenId} onChange={(event) => choose(event.currentTarget.value)}>
          {targets.map(({ id }) => (
            <option key={id} value={id}>
              {names.get(id)}
            </option>
          ))}
        </select>
      </div>
      {plan && (
        <ul class="copy-plan" aria-live="polite">
          {consequencesOf(plan).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class="button is-primary"
          disabled={!plan || plan.orders.length === 0}
          onClick={() => {
            if (plan) copy(chosenId, plan);
            dialog.current?.close();
          }}
        >
          {t('copyCreate')}
        </button>
      </div>
    </dialog>
  );
}

/** Returns the consequences of copying: how many links are created, and which properties they lack. */
function consequencesOf(plan: CopyPlan): string[] {
  return [
    ...(plan.orders.length > 0 ? [plural('copiesCreated', plan.orders.length)] : []),
    ...(plan.lostCodes > 0 ? [plural('copyLostCodes', plan.lostCodes)] : []),
    ...(plan.lostTitles > 0 ? [plural('copyLostTitles', plan.lostTitles)] : []),
    ...(plan.lostExpiries > 0 ? [plural('copyLostExpiries', plan.lostExpiries)] : []),
    ...(plan.lostClicks > 0 ? [plural('copyLostClicks', plan.lostClicks)] : []),
    ...(plan.skipped > 0 ? [plural('copySkipped', plan.skipped)] : []),
  ];
}
