export interface Shot {
  theme: 'light' | 'dark';
  /** Text direction. The default is the direction of the language. */
  dir?: 'ltr' | 'rtl';
  width: number;
  forced?: true;
}

/** All pages of the gallery, with the settings of their screenshots. A new page must also be added to `gallery.ts`. */
export const SHOTS = {
  popup: [
    { theme: 'light', dir: 'ltr', width: 360 },
    { theme: 'dark', dir: 'ltr', width: 360 },
    { theme: 'light', dir: 'rtl', width: 400 },
    { theme: 'dark', dir: 'ltr', width: 320 },
    { theme: 'light', dir: 'ltr', width: 360, forced: true },
  ],
  options: [
    { theme: 'light', dir: 'ltr', width: 960 },
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
    { theme: 'light', dir: 'ltr', width: 960 },
    { theme: 'dark', dir: 'ltr', width: 800 },
    { theme: 'light', dir: 'rtl', width: 320 },
    { theme: 'light', dir: 'ltr', width: 800, forced: true },
  ],
  hosting: [
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
