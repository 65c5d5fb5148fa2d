interface Service {
  baseUrl: string;
  apiKey: string;
}

/** Calls an endpoint below `/api/v1/` without the extension, as another browser would. */
export async function callApi({ baseUrl, apiKey }: Service, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const response = await fetch(`${baseUrl}/api/v1/${path}`, { method, headers, ...sent });
  return { status: response.status, json: await response.json().catch(() => null) };
}
