import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';

/** Shows a short URL as a QR code. */
export function QrButton({ show }: { show: () => void }) {
  return (
    <button type="button" class="button" aria-label={t('qrTitle')} title={t('qrTitle')} onClick={show}>
      <Icon name="qr" />
    </button>
  );
}
