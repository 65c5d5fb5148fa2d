import { t } from '../ui/strings.ts';
import type { Toolbar } from './handlers.ts';
import { PinPicture } from './pin-picture.tsx';
import { Step } from './step.tsx';

interface PinStepProps {
  at: number;
  toolbar: Exclude<Toolbar, 'none'>;
  /** Null: the browser does not tell. */
  pinned: boolean | null;
}

/** Where the icon is, and how it comes into the toolbar: by the person alone, no extension may. */
export function PinStep({ at, toolbar, pinned }: PinStepProps) {
  return (
    <Step at={at} title={t('welcomePin')} done={pinned === true}>
      <p>{t(pinned === true ? 'welcomePinned' : `welcomePin_${toolbar}`)}</p>
      {pinned !== true && <PinPicture toolbar={toolbar} />}
    </Step>
  );
}
