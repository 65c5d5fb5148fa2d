import { connect } from 'node:net';

/** Sends bytes as they are and reads until the server hangs up. */
export async function raw(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}
