export interface Shot {
  theme: 'light' | 'dark';
  /** Text direction. The default is the direction of the language. */
  dir?: 'ltr' | 'rtl';
  width: number;
  forced?: true;
}

/** Returns settings for both themes, right to left in a narrow window, and forced colors. */
const at = (light: number, dark = light): Shot[] => [
  { theme: 'light', dir: 'ltr', width: light },
  { theme: 'dark', dir: 'ltr', width: dark },
  { theme: 'light', dir: 'rtl', width: 320 },
  { theme: 'light', dir: 'ltr', width: dark, forced: true },
];

/** All pages of the gallery, with the settings of their screenshots. A new page must also be added to `gallery.ts`. */
export const SHOTS = {
  popup: [...at(360), { theme: 'dark', dir: 'ltr', width: 320 }],
  options: at(960, 800),
  links: at(1000),
  many: at(1000),
  welcome: at(960, 800),
  queue: at(1000),
  broken: at(360, 1000),
} satisfies Record<string, Shot[]>;

export type PageName = keyof typeof SHOTS;
