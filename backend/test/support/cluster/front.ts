import { Agent, type RequestOptions, request } from 'node:https';
import { PORTS } from './example.ts';

export interface FrontAnswer {
  status: number;
  location: string | null;
  body: string;
}

/** The public hosts of the example, over HTTPS through one machine's HAProxy. */
export interface Front {
  ask(
    site: 'links.example.com' | 'sho.rt',
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<FrontAnswer>;
  close(): void;
}

/** Opens the public hosts. The `ask` function throws if there is no response. */
export function openFront(host: string, certificate: string): Front {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (site, path, { body, headers, ...init } = {}) => {
      const options: RequestOptions = {
        agent,
        host,
        port: PORTS.https,
        path,
        ca: certificate,
        servername: site,
        headers: { ...headers, Host: site },
        ...init,
      };
      return new Promise((resolve, reject) => {
        const asked = request(options, (answer) => {
          let body = '';
          answer
            .setEncoding('utf8')
            .on('data', (text) => {
              body += text;
            })
            .on('end', () =>
              resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null, body }),
            )
            .on('error', reject);
        });
        asked.on('error', reject).end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
