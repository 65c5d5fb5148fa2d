import ar from './languages/ar.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import he from './languages/he.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import ko from './languages/ko.json' with { type: 'json' };
import pl from './languages/pl.json' with { type: 'json' };
import ptBR from './languages/pt-BR.json' with { type: 'json' };
import zhCN from './languages/zh-CN.json' with { type: 'json' };

/** The pages that a visitor of a short URL may meet, by what happened. */
export type PageName = keyof typeof en;

/** What one page says. */
export interface Words {
  title: string;
  sentence: string;
}

/** Every page in every language, by the language's tag (BCP 47). The first one is for whoever reads none of them. */
export const LANGUAGES = {
  en,
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  pl,
  ja,
  ko,
  'zh-CN': zhCN,
  ar,
  he,
} satisfies Record<string, Record<PageName, Words>>;

export type Language = keyof typeof LANGUAGES;

/** Whether a language is written from right to left. */
export function isRightToLeft(language: Language): boolean {
  return language === 'ar' || language === 'he';
}
