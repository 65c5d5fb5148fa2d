import { Icon, type IconName } from './icons.tsx';

/** One sentence about what was found or done, with its icon. */
export function Finding({ icon, tone, text }: { icon: IconName; tone: string; text: string }) {
  return (
    <p class={`finding ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}
