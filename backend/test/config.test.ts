import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config/environment.ts';

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  it('reads all settings', () => {
    const given = {
      TERSE_LISTEN: '[::1]:0',
      TERSE_SHORT_LISTEN: '0.0.0.0:80',
      TERSE_METRICS_LISTEN: '127.0.0.1:9464',
      TERSE_BASE_URL: 'https://links.example.com/',
      TERSE_SHORT_BASE_URL: 'http://sho.rt:8080',
      TERSE_CASE_INSENSITIVE_CODES: 'true',
      TERSE_DATABASE: 'file:/var/lib/terse/db',
      TERSE_DAILY_QUOTA: '500',
      TERSE_THROTTLE: '2.5',
      TERSE_ACCOUNT_QUOTA: '700',
      TERSE_IMPORT_QUOTA: '200000',
      TERSE_ALLOW_PRIVATE_TARGETS: 'true',
      TERSE_FORWARD_QUERY: 'true',
      TERSE_MAX_URL_BYTES: '32768',
      TERSE_COUNTRY_HEADER: 'CF-IPCountry',
      TERSE_BLOCKED_HOSTS_FILE: '/etc/terse/blocked',
      TERSE_HOME_URL: 'https://www.example.com',
    };
    expect(readConfig(given)).toEqual({
      listen: { host: '::1', port: 0 },
      shortListen: { host: '0.0.0.0', port: 80 },
      metricsListen: { host: '127.0.0.1', port: 9464 },
      baseUrl: 'https://links.example.com',
      shortBaseUrls: ['http://sho.rt:8080'],
      foldsCase: true,
      database: { engine: 'sqlite', path: '/var/lib/terse/db' },
      limits: { throttle: 2.5, quota: 500 },
      accountLimits: { links: 700, rows: 200_000 },
      allowPrivateTargets: true,
      forwardQuery: true,
      maxUrlBytes: 32_768,
      trustedProxies: { includes: expect.any(Function), shortestPrefix: null },
      countryHeader: 'cf-ipcountry',
      authProxyHeader: null,
      blockedHostsFile: '/etc/terse/blocked',
      homeUrl: 'https://www.example.com/',
    });
  });

  it('reads the header in which a trusted proxy names the user', () => {
    const given = { TERSE_AUTH_PROXY_HEADER: 'Remote-User', TERSE_TRUSTED_PROXIES: '10.0.0.1' };
    expect(readConfig(given).authProxyHeader).toBe('remote-user');
    expect(problemsOf({ ...given, TERSE_AUTH_PROXY_HEADER: 'Remote_User' })).toEqual([
      'TERSE_AUTH_PROXY_HEADER must be the name of a header, such as Remote-User.',
    ]);
  });

  it.each(['Cookie', 'Host', 'X-Forwarded-For', 'User-Agent', 'Forwarded', 'Authorization', 'X-API-Key', 'X-Land'])(
    'refuses to read the user from a header with another purpose: %s',
    (header) => {
      const proxies = { TERSE_TRUSTED_PROXIES: '10.0.0.1', TERSE_COUNTRY_HEADER: 'X-Land' };
      expect(problemsOf({ ...proxies, TERSE_AUTH_PROXY_HEADER: header })).toEqual([
        'TERSE_AUTH_PROXY_HEADER must be a header that has no other purpose, such as Remote-User.',
      ]);
    },
  );

  it.each(['0.0.0.0/0', '::/0', '10.0.0.1, 128.0.0.0/1', '2000::/3', '::ffff:0.0.0.0/96'])(
    'refuses to trust the Internet to name the user: %s',
    (networks) => {
      expect(readConfig({ TERSE_TRUSTED_PROXIES: networks }).trustedProxies.shortestPrefix).not.toBeNull();
      expect(problemsOf({ TERSE_AUTH_PROXY_HEADER: 'Remote-User', TERSE_TRUSTED_PROXIES: networks })).toEqual([
        'TERSE_AUTH_PROXY_HEADER needs narrower networks in TERSE_TRUSTED_PROXIES, because each client in them may name the user.',
      ]);
    },
  );

  it('derives the account quota from the maximum number of keys', () => {
    expect(readConfig({ TERSE_DAILY_QUOTA: '7' }).accountLimits.links).toBe(350);
  });

  it.each([
    ['postgres://terse:secret@db.example/terse', undefined, 10],
    ['postgresql://terse@/terse?host=/var/run/postgresql', '25', 25],
    ['postgres:///terse', undefined, 10],
    ['postgres://terse:a%2Fb@[::1]:5432/terse', undefined, 10],
    ['postgres://terse:a@b@db.example:5432/terse?sslmode=require', undefined, 10],
    ['postgres:///terse?user=a%40b', undefined, 10],
    ['postgres://terse:12%2F%3F%23%4034@db.example/terse', undefined, 10],
  ])('accepts %s as PostgreSQL', (url, given, connections) => {
    const { database } = readConfig({ TERSE_DATABASE: url, TERSE_DATABASE_CONNECTIONS: given });
    expect(database).toEqual({ engine: 'postgres', url, connections });
  });

  const listen = 'must be HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787.';
  const database = 'must be file:PATH, such as file:./data/terse.db, or postgres://USER:PASSWORD@HOST/DATABASE.';
  const databaseUrl =
    'must be a valid URL. Percent-encode special characters in its parts: / as %2F, ? as %3F, # as %23, @ as %40 and % as %25.';
  const connections = 'must be a whole number from 1 to 999.';
  const origin = 'must be an origin without a path, such as https://links.example.com.';
  const origins =
    'must be different origins without a path, separated by commas, such as https://sho.rt,https://go.example.com.';
  const quota = 'must be a whole number from 1 to 999999999.';
  const throttle = 'must be a number of requests per second from 0.001 to 100000.';
  const address = 'must be an http or https URL, such as https://www.example.com/.';
  const unknown = 'is not a setting. The option --help lists all settings.';
  it.each([
    ['TERSE_LISTEN', 'localhost', listen],
    ['TERSE_LISTEN', '127.0.0.1:65536', listen],
    ['TERSE_LISTEN', '::1:80', listen],
    ['TERSE_SHORT_LISTEN', ':80', listen],
    ['TERSE_SHORT_LISTEN', '%:80', listen],
    ['TERSE_BASE_URL', 'links.example.com', origin],
    ['TERSE_DATABASE', 'postgres://', database],
    ['TERSE_DATABASE_CONNECTIONS', '0', connections],
    ['TERSE_DATABASE_CONNECTIONS', 'many', connections],
    ['TERSE_SHORT_BASE_URL', 'ftp://example.com', origins],
    ['TERSE_SHORT_BASE_URL', 'https://example.com/?a', origins],
    ['TERSE_SHORT_BASE_URL', 'https://sho.rt,ftp://go.example', origins],
    ['TERSE_SHORT_BASE_URL', 'https://sho.rt,http://SHO.rt/', origins],
    ['TERSE_SHORT_BASE_URL', 'https://sho.rt,', origins],
    ['TERSE_CASE_INSENSITIVE_CODES', 'yes', 'must be true or false.'],
    ['TERSE_DATABASE', './terse.db', database],
    ['TERSE_DATABASE', 'file:', database],
    ['TERSE_DATABASE', 'mysql://example.com/terse', database],
    ['TERSE_DATABASE', 'file::memory:', database],
    ['TERSE_DATABASE', 'postgres://terse:a/b@db.example/terse', databaseUrl],
    ['TERSE_DATABASE', 'postgres://terse:a#b@db.example/terse', databaseUrl],
    ['TERSE_DATABASE', 'postgres://terse:a?b@db.example/terse', databaseUrl],
    // If the password begins with digits, the part before its special character looks like a port.
    ['TERSE_DATABASE', 'postgres://terse:12/34@db.example/terse', databaseUrl],
    ['TERSE_DATABASE', 'postgres://terse:a@1?2@db.example/terse', databaseUrl],
    ['TERSE_DATABASE', 'postgres://terse:12/34@/terse?host=/run/postgresql', databaseUrl],
    ['TERSE_DATABASE', 'postgres://terse:a@db.example:port/terse', databaseUrl],
    ['TERSE_DATABASE', 'postgres:///terse?user=a@b', databaseUrl],
    ['TERSE_TRUSTED_PROXIES', 'caddy', 'must be IP addresses or networks, such as 10.0.0.0/8, separated by commas.'],
    ['TERSE_COUNTRY_HEADER', 'CF IPCountry', 'must be the name of a header, such as CF-IPCountry.'],
    [
      'TERSE_AUTH_PROXY_HEADER',
      'Remote-User',
      'needs TERSE_TRUSTED_PROXIES, because only a trusted proxy may name the user.',
    ],
    ['TERSE_DAILY_QUOTA', '0', quota],
    ['TERSE_DAILY_QUOTA', '1.5', quota],
    ['TERSE_DAILY_QUOTA', '01', quota],
    ['TERSE_DAILY_QUOTA', '1000000000', quota],
    ['TERSE_ACCOUNT_QUOTA', '0', quota],
    ['TERSE_IMPORT_QUOTA', 'all', quota],
    ['TERSE_THROTTLE', '0', throttle],
    ['TERSE_THROTTLE', '1e3', throttle],
    ['TERSE_THROTTLE', '0.0009', throttle],
    ['TERSE_THROTTLE', '100000.1', throttle],
    ['TERSE_THROTTLE', '.5', throttle],
    ['TERSE_ALLOW_PRIVATE_TARGETS', 'yes', 'must be true or false.'],
    ['TERSE_FORWARD_QUERY', 'on', 'must be true or false.'],
    ['TERSE_MAX_URL_BYTES', '2047', 'must be a whole number from 2048 to 32768.'],
    ['TERSE_MAX_URL_BYTES', '32769', 'must be a whole number from 2048 to 32768.'],
    ['TERSE_METRICS_LISTEN', '9464', listen],
    ['TERSE_HOME_URL', 'www.example.com', address],
    ['TERSE_HOME_URL', 'https://user:secret@example.com/', address],
    ['TERSE_HOME_URL', 'javascript:alert(1)', address],
    ['TERSE_THROTLE', '2', unknown],
    ['TERSE_LISTEN_PORT', '8787', unknown],
    ['terse_short_base_url', 'https://sho.rt', unknown],
  ])('refuses %s=%s', (name, value, sentence) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} ${sentence}`]);
  });

  it('reads several short domains, the default first', () => {
    const read = (settings: Record<string, string>) => readConfig(settings).shortBaseUrls;
    const [one, two] = ['https://sho.rt', 'https://go.example'];
    expect(read({ TERSE_SHORT_BASE_URL: ` ${one}/ , ${two}` })).toEqual([one, two]);
  });

  it('refuses short domains that contradict other settings', () => {
    const listed = { TERSE_SHORT_BASE_URL: 'https://sho.rt,https://go.example' };
    const taken = ['TERSE_SHORT_BASE_URL must not contain the address of the API and the dashboard.'];
    for (const TERSE_BASE_URL of ['https://go.example', 'https://sho.rt/', 'https://SHO.RT:443'])
      expect(problemsOf({ ...listed, TERSE_BASE_URL })).toEqual(taken);
    expect(problemsOf({ TERSE_LISTEN: '0.0.0.0:80', TERSE_SHORT_BASE_URL: 'http://127.0.0.1' })).toEqual(taken);
    expect(problemsOf({ ...listed, TERSE_BASE_URL: 'https://links.sho.rt' })).toEqual([]);
  });

  it('ignores variables of other programs', () => {
    const others = {
      TERSE_SERVICE_HOST: '10.0.0.1',
      TERSE_SERVICE_PORT: '80',
      TERSE_SERVICE_PORT_HTTP: '80',
      TERSE_PORT: 'tcp://10.0.0.1:80',
      TERSE_API_PORT_80_TCP_ADDR: '10.0.0.1',
      TERSE_CHROMIUM: '/usr/bin/chromium',
      TERSEPORT: '1',
    };
    expect(() => readConfig(others)).not.toThrow();
  });
});
