import { NewConnectionForm } from '../../components/connection-form/connection-form.tsx';
import { ConnectionTestResult } from '../../components/connection-form/connection-test-result.tsx';
import type { Connecting } from '../../components/connection-form/use-connection-form.ts';
import { Icon } from '../../components/icons.tsx';
import { ProjectLink } from '../../components/project-link.tsx';
import { t } from '../../format/i18n.ts';

/** Two equally prominent choices: connect a server, or read how to get one. */
export function ConnectCards({ connecting }: { connecting: Connecting }) {
  return (
    <div class="welcome-choices">
      <section class="card" aria-labelledby="have-title">
        <h2 id="have-title">{t('welcomeHave')}</h2>
        <NewConnectionForm connecting={connecting} named={false} />
        <ConnectionTestResult phase={connecting.phase} paused={false} />
      </section>
      <section class="card" aria-labelledby="none-title">
        <h2 id="none-title">{t('welcomeNoServer')}</h2>
        <p>{t('welcomeNeeds')}</p>
        <p>{t('welcomeWorks')}</p>
        <ProjectLink />
        {/* The guide opens in a new tab, so that the form keeps the user's input. */}
        <a class="button" href="../hosting/index.html" target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t('hostingGuide')}
        </a>
      </section>
    </div>
  );
}
