import { COMMANDS, type CommandName, type Flag, formOf, neededBy, type TextOption, typed } from './commands.ts';

/** The width of what is typed, before what it does. */
const WIDTH = 31;

/** How a command is called and what it does, one line for it and one for each option it can do without. */
export function usageOf(name: CommandName): string {
  const { does, takes = {} } = formOf(name);
  const options = Object.entries(takes).map(
    ([option, brings]) => `${' '.repeat(5)}[${typed(option as TextOption | Flag)}]`.padEnd(WIDTH) + brings,
  );
  return [[name, ...neededBy(name)].join(' ').padEnd(WIDTH) + does, ...options].map((line) => `  ${line}`).join('\n');
}

/** What `--help` prints. */
export const USAGE = `Usage:
${(Object.keys(COMMANDS) as CommandName[]).map(usageOf).join('\n')}
  --help, --version              print this, or the version

Environment variables, and what holds without them:
  TERSE_LISTEN=127.0.0.1:8787        where the API answers
  TERSE_SHORT_LISTEN=127.0.0.1:8788  where short URLs answer
  TERSE_METRICS_LISTEN=              where metrics are served (nowhere)
  TERSE_BASE_URL=, TERSE_SHORT_BASE_URL=
                                     what the public calls them (the listeners' addresses)
  TERSE_DATABASE=file:./data/terse.db
                                     or postgres://USER:PASSWORD@HOST/DATABASE
  TERSE_DATABASE_CONNECTIONS=10      connections a process may hold to PostgreSQL
  TERSE_CACHED_LINKS=10000           links a process keeps in memory
  TERSE_DAILY_QUOTA=20               requests a key may send in a UTC day
  TERSE_THROTTLE=1                   requests a key may send in a second
  TERSE_ACCOUNT_QUOTA=               requests for links an invited account may send in a UTC day (50 times the daily quota)
  TERSE_IMPORT_QUOTA=10000           rows of files an invited account may import in a UTC day
  TERSE_ALLOW_PRIVATE_TARGETS=false  whether links may lead to private addresses
  TERSE_BLOCKED_HOSTS_FILE=          a list of hosts that links must not lead to
  TERSE_TRUSTED_PROXIES=             proxies that are believed about their clients, such as 10.0.0.0/8
  TERSE_PROXY_HEADER=x-forwarded-for or forwarded, the one header in which they name the client
  TERSE_COUNTRY_HEADER=              in which such a proxy says the visitor's country
  TERSE_HOME_URL=                    where the short host without a code leads (nowhere: 404)
  TERSE_UNKNOWN_PAGE=, TERSE_GONE_PAGE=
                                     own pages for 404 and 410: file:PATH, or an address to lead to
  TERSE_ROBOTS_FILE=                 the robots.txt of the short host (everything may be opened)
  TERSE_SECURITY_FILE=               the security.txt of both hosts (none)
  TERSE_DAILY_COUNTS_MONTHS=         months for which clicks are kept by the day, then by the month (for ever)
  TERSE_JOURNAL_DIR=                 where clicks wait to be counted (beside the database)`;
