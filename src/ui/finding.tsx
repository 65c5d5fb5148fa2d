import { Icon, type IconName } from './icons.tsx';

export interface FindingProps {
  icon: IconName;
  tone: string;
  text: string;
}

/** One sentence about what was found or done, with its icon. */
export function Finding({ icon, tone, text }: FindingProps) {
  return (
    <p class={`finding ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}
