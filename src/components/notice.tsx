import { Icon, type IconName } from './icons.tsx';

export interface FindingProps {
  icon: IconName;
  tone: string;
  text: string;
}

/** One sentence about a result or a problem, with an icon. */
export function Notice({ icon, tone, text }: FindingProps) {
  return (
    <p class={`notice ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}
