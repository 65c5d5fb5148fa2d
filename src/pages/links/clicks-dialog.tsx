import type { Analytics } from '@terse/contract/analytics';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useModal } from '../../components/dialogs.tsx';
import { ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, plural, t, uiLocale } from '../../format/i18n.ts';
import type { LinkDialogProps } from './links-store.ts';

/** Dialog with the clicks of a link in the last thirty days. The clicks are requested when the dialog opens. */
export function ClicksDialog({ link, store }: LinkDialogProps) {
  const dialog = useModal();
  const [clicks, setClicks] = useState<Analytics | string | null>(null);
  useLayoutEffect(() => {
    void store.clicksOf(link).then(setClicks);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="clicks"
      aria-labelledby="clicks-title"
      aria-busy={clicks === null}
      onClose={store.closeDialog}
      closedby="any"
    >
      <h2 id="clicks-title">{t('clicksTitle')}</h2>
      <ShortAddress url={link.shortUrl} />
      <div class="clicks-body" role="status">
        {clicks === null && <p class="help">{t('loading')}</p>}
        {typeof clicks === 'string' && <p class="problem">{clicks}</p>}
        {clicks !== null && typeof clicks === 'object' && <Chart {...clicks} />}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('close')}
        </button>
      </div>
    </dialog>
  );
}

/** Width of a bar, in units of the SVG `viewBox`. */
const BAR = 10;
const HEIGHT = 80;

const MAX_REFERRERS = 5;

function Chart({ from, to, clicks, visitors, bots, series, referrers }: Analytics) {
  const hosts = referrers.flatMap(({ name, clicks }) => (name ? [{ name, clicks }] : [])).slice(0, MAX_REFERRERS);
  const most = Math.max(1, ...series.map((one) => one.clicks));
  const date = new Intl.DateTimeFormat(uiLocale(), { dateStyle: 'medium', timeZone: 'UTC' });
  const range = t('clicksRange', date.format(Date.parse(from)), date.format(Date.parse(to)));
  return (
    <>
      <p class="clicks-sums">
        <strong>{plural('clicksCount', clicks)}</strong>
        <span>{plural('visitorsCount', visitors)}</span>
        <span>{plural('botsCount', bots)}</span>
      </p>
      <figure class="chart">
        <svg viewBox={`0 0 ${series.length * BAR} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={range}>
          {series.map((one, index) => {
            const height = one.clicks === 0 ? 1 : Math.max(3, (one.clicks / most) * HEIGHT);
            return (
              <rect
                key={one.start}
                class={one.clicks === 0 ? 'chart-none' : 'chart-bar'}
                x={index * BAR + 1}
                y={HEIGHT - height}
                width={BAR - 2}
                height={height}
              >
                <title>{`${date.format(Date.parse(one.start))}\n${plural('clicksCount', one.clicks)}`}</title>
              </rect>
            );
          })}
        </svg>
        <figcaption class="help">{range}</figcaption>
      </figure>
      {hosts.length > 0 && (
        <ul class="clicks-referrers">
          {hosts.map((one) => (
            <li key={one.name}>
              <UntrustedText class="line" text={one.name} />
              <span>{formatNumber(one.clicks)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
