// Imported first, because some states contain messages and need the stubbed browser API.
import './stubbed.ts';

import { speak } from './browser-stub.ts';
import { LANGUAGES } from './languages.ts';

const language = new URLSearchParams(location.search).get('lang') ?? 'en';
const messages = LANGUAGES[language];
if (!messages) throw new Error(`There are no messages in "${language}".`);
speak(language === 'en' || language === 'long' ? 'en-GB' : language.replace('_', '-'), messages);
