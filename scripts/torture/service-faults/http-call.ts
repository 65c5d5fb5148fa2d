import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  body: string;
  /** Address to which the service redirects the client, or an empty string. */
  location: string;
}

/** Milliseconds after which a client gives up waiting. A suspended service may still execute the call later. */
const TIMEOUT = 1_000;

/** Node's HTTP client is used because it never repeats a request, which `fetch` may do. */
const agent = new Agent({ keepAlive: true });

/** Sends one request. Throws if there is no complete answer in time. */
export function send(
  url: string,
  options: { headers: Record<string, string>; body?: string; timeout?: number | undefined },
): Promise<Answer> {
  const { headers, body, timeout = TIMEOUT } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout);
    const sent = request(url, { agent, method, headers: { ...headers, ...length }, signal }, (answer) => {
      const {
        statusCode = 0,
        headers: { location = '' },
      } = answer;
      const parts: string[] = [];
      answer
        .setEncoding('utf8')
        .on('data', (part) => parts.push(part))
        .on('end', () => resolve({ status: statusCode, body: parts.join(''), location }))
        .on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}
