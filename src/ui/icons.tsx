/** One set, one grid (20 × 20), one stroke. Decorative: what a control does is said by its name. */
const PATHS = {
  check: 'm4 10.5 4 4 8-9',
  clock: 'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4ZM10 6v4l2.6 1.6',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7.5 7.5h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1ZM3.5 13v-8.5a1 1 0 0 1 1-1H13',
  down: 'M10 3v9.5m-4-4 4 4 4-4M3.5 16.5h13',
  enter: 'M16 4.5V9a2 2 0 0 1-2 2H4.5m3.5-3.5L4.5 11 8 14.5',
  globe:
    'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4ZM3 10h14M10 2.8c2.2 2 3.2 4.4 3.2 7.2s-1 5.2-3.2 7.2c-2.2-2-3.2-4.4-3.2-7.2s1-5.2 3.2-7.2Z',
  key: 'M7 13.8a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6Zm3.3-3.3H17v3m-3.2-3v2.2',
  list: 'M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01M7 5.5h9.5M7 10h9.5M7 14.5h9.5',
  offline: 'M3 3l14 14M8 5a5 5 0 0 1 6.8 3.9A3.5 3.5 0 0 1 16.4 14M5.6 7.6A4.2 4.2 0 0 0 6.2 15.5h7.3',
  open: 'M11.5 3.5h5v5m0-5-7 7M8 4.5H5a1.5 1.5 0 0 0-1.5 1.5v9A1.5 1.5 0 0 0 5 16.5h9a1.5 1.5 0 0 0 1.5-1.5v-3',
  private:
    'M3.5 3.5l13 13M8.3 5.2A8 8 0 0 1 10 5c4 0 6.5 3 7.5 5a11 11 0 0 1-2 2.7M5.5 6.6A11 11 0 0 0 2.5 10c1 2 3.5 5 7.5 5a7.5 7.5 0 0 0 3.3-.75M8.3 8.3a2.4 2.4 0 0 0 3.4 3.4',
  qr: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h2v2m3-2v.01M11.5 16.5v-.01m2.5 0h2.5V14',
  retry: 'M16.5 10a6.5 6.5 0 1 1-2-4.7M16.5 2.8v3.7h-3.7',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.8 3.8',
  settings:
    'M3.5 6.5H9m4.5 0h3M3.5 13.5h3m4.5 0h5.5M11.2 8.7a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8.7 15.7a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  trash: 'M3.5 5.5h13M8 5.5v-2h4v2m-6.5 0 .7 11h7.6l.7-11M8.5 9v4.5m3-4.5v4.5',
  warning: 'M10 3.2 2.6 16.3h14.8L10 3.2Zm0 4.8v4m0 2.2v.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, class: extra = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: a T that comes to its full stop. The same shapes as design/icon.svg. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="16" height="16" rx="4" />
      <path class="mark-letter" d="M4 5h6M7 5v6" />
      <circle class="mark-stop" cx="12" cy="11" r="1.25" />
    </svg>
  );
}
