import type { Copier } from '../../components/copier.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { Icon, Mark } from '../../components/icons.tsx';
import { Announcer, ProjectLink } from '../../components/page-shell.tsx';
import { t } from '../../format/i18n.ts';

/** Commands that start a server with Docker. `docs/self-hosting.md` explains them. */
export const HOST = `printf 'API_HOST=links.example.com\\nSHORT_HOST=go.example.com\\n' > .env
docker compose up -d --build
docker compose logs terse`;

/** Command that starts a server on this computer and prints its connection link. */
export const TRY = 'npm ci && npm start';

/** Short guide to running a server, with a list of other compatible servers. */
export function HostingPage({ copier }: { copier: Copier }) {
  const { flash, copied } = copier;
  return (
    <main class="page hosting">
      <div class="page-head">
        <Mark />
        <h1>{t('hostingGuide')}</h1>
      </div>
      <section class="card">
        <h2>{t('hostingNeeds')}</h2>
        <ul class="hosting-list">
          <li>{t('hostingMachine')}</li>
          <li>{t('hostingNames')}</li>
          <li>{t('hostingSource')}</li>
        </ul>
        <ProjectLink />
      </section>
      <section class="card">
        <h2>{t('hostingStart')}</h2>
        <ol class="hosting-list">
          <li>
            {t('hostingRun')}
            <Command text={HOST} copier={copier} />
          </li>
          <li>{t('hostingSetUp')}</li>
          <li>{t('hostingKey')}</li>
        </ol>
        <a class="button is-primary" href="../welcome/index.html">
          {t('connectService')}
        </a>
      </section>
      <section class="card">
        <h2>{t('hostingTry')}</h2>
        <p>{t('hostingTryHelp')}</p>
        <Command text={TRY} copier={copier} />
      </section>
      <section class="card">
        <h2>{t('hostingOthers')}</h2>
        <p>{t('hostingOthersHelp')}</p>
      </section>
      <Toasts flash={flash} />
      <Announcer text={flash.value?.text ?? (copied.value === null ? '' : t('copied'))} />
    </main>
  );
}

/** Terminal commands with a copy button. */
function Command({ text, copier }: { text: string; copier: Copier }) {
  const isCopied = copier.copied.value === text;
  return (
    <div class="command">
      <pre dir="ltr">{text}</pre>
      <button type="button" class="button" onClick={() => void copier.copy(text)}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {t(isCopied ? 'copied' : 'copy')}
      </button>
    </div>
  );
}
