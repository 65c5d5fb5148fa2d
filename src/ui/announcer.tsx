import { useCallback, useState } from 'preact/hooks';

/** Says changes to who cannot see them. Always in the page: a live region that appears with its text is not read. */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

/** The text of an announcer, and how to say something. Only a changed text is read, so a repeated one ends with a space. */
export function useAnnounced(): [string, (text: string) => void] {
  const [announced, setAnnounced] = useState('');
  const announce = useCallback(
    (text: string) => setAnnounced((before) => (before === text ? `${text}\u00A0` : text)),
    [],
  );
  return [announced, announce];
}
