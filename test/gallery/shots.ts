/** How a page is looked at. */
export interface Shot {
  theme: 'light' | 'dark';
  /** That of the language unless it is given. */
  dir?: 'ltr' | 'rtl';
  width: number;
  /** In the colours that a person has forced on every page. */
  forced?: true;
}

/** Every page of the gallery, and how its states are photographed. A new page also goes into `gallery.ts`. */
export const SHOTS = {
  popup: [
    { theme: 'light', dir: 'ltr', width: 360 },
    { theme: 'dark', dir: 'ltr', width: 360 },
    { theme: 'light', dir: 'rtl', width: 400 },
    { theme: 'dark', dir: 'ltr', width: 320 },
    { theme: 'light', dir: 'ltr', width: 360, forced: true },
  ],
  options: [
    { theme: 'light', dir: 'ltr', width: 800 },
    { theme: 'dark', dir: 'ltr', width: 800 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 800, forced: true },
  ],
  links: [
    { theme: 'light', dir: 'ltr', width: 1000 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 1000, forced: true },
  ],
  many: [
    { theme: 'light', dir: 'ltr', width: 1000 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 1000, forced: true },
  ],
  welcome: [
    { theme: 'light', dir: 'ltr', width: 800 },
    { theme: 'dark', dir: 'ltr', width: 800 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 800, forced: true },
  ],
  queue: [
    { theme: 'light', dir: 'ltr', width: 1000 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 1000, forced: true },
  ],
  broken: [
    { theme: 'light', dir: 'ltr', width: 360 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
  ],
} satisfies Record<string, Shot[]>;

export type PageName = keyof typeof SHOTS;
