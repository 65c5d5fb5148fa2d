import { t } from '../../format/i18n.ts';
import type { Toolbar } from './welcome-store.ts';

const PUZZLE = 'M2 6h4V5a2 2 0 1 1 4 0v1h4v4h1a2 2 0 1 1 0 4h-1v4h-4v-1a2 2 0 1 0-4 0v1H2v-4h1a2 2 0 1 0 0-4H2Z';
const PIN = 'M6 2h6l-1 5 3 3v1.500H4V10l3-3Zm3 9.500V17';
const GEAR =
  'M9 6.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600ZM9 2v2.500M9 13.500V16M2 9h2.500M13.500 9H16M4 4l1.800 1.800M12.200 12.200 14 14M14 4l-1.800 1.800M5.800 12.200 4 14';

/** Picture of this browser's toolbar. The places to click are marked. */
function PinPicture({ toolbar }: { toolbar: Exclude<Toolbar, 'none'> }) {
  const isFirefox = toolbar === 'firefox';
  return (
    <svg class="pin-picture" viewBox="0 0 360 168" role="img" aria-label={t(`welcomePinPicture_${toolbar}`)}>
      <rect class="pin-bar" x="0.500" y="0.500" width="359" height="40" rx="8" />
      <circle class="pin-faint" cx="22" cy="20.500" r="6" />
      <rect class="pin-faint" x="42" y="11" width="228" height="19" rx={isFirefox ? 4 : 9.5} />
      <rect class="pin-mark" x="283" y="5" width="31" height="31" rx="8" />
      <path class="pin-line" transform="translate(290 10)" d={PUZZLE} />
      <g class="pin-dots">
        {isFirefox ? (
          <path class="pin-line" d="M328 15h14M328 20.500h14M328 26h14" />
        ) : (
          [14, 20.5, 27].map((y) => <circle key={y} class="pin-dot" cx="336" cy={y} r="1.600" />)
        )}
      </g>
      <rect class="pin-panel" x="128" y="50" width="200" height="112" rx="8" />
      <rect class="pin-faint" x="142" y="63" width="90" height="8" rx="4" />
      <g transform="translate(142 82)">
        <g class="pin-logo">
          <rect class="mark-ground" width="24" height="24" rx="6" />
          <path class="mark-letter" transform="scale(1.500)" d="M4 5h6M7 5v6" />
          <circle class="mark-stop" transform="scale(1.500)" cx="12" cy="11" r="1.250" />
        </g>
      </g>
      <rect class="pin-faint is-strong" x="176" y="90" width="64" height="8" rx="4" />
      <rect class="pin-mark" x="288" y="79" width="31" height="31" rx="8" />
      <path class="pin-line" transform="translate(294.500 85)" d={isFirefox ? GEAR : PIN} />
      <rect class="pin-faint" x="142" y="126" width="24" height="24" rx="6" />
      <rect class="pin-faint" x="176" y="134" width="84" height="8" rx="4" />
    </svg>
  );
}

interface PinToolbarProps {
  toolbar: Exclude<Toolbar, 'none'>;
  /** True if the icon is pinned. Null if the browser does not report this. */
  pinned: boolean | null;
}

/** Shows how to pin the icon to the toolbar. Extensions cannot pin their own icons. */
export function PinToolbar({ toolbar, pinned }: PinToolbarProps) {
  return (
    <div class="setting pin">
      <div>
        <p class="setting-name">{t('welcomePin')}</p>
        <p class="help">{t(pinned === true ? 'welcomePinned' : `welcomePin_${toolbar}`)}</p>
      </div>
      {pinned !== true && <PinPicture toolbar={toolbar} />}
    </div>
  );
}
