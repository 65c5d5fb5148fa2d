/** Says changes to who cannot see them. Always in the page: a live region that appears with its text is not read. */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}
