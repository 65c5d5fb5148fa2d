import { html } from 'hono/html';

/** The page in which the API's description is read and tried. */
export function referencePage() {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Terse API</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/tokens.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/reference.js" type="module"></script>
</head>
<body>
<header>
<a href="/"><img src="/docs/icon.svg" width="24" height="24" alt="">Terse</a>
<a href="/openapi.json">OpenAPI document</a>
</header>
<div id="reference">
<noscript><main><p>This page needs JavaScript. The <a href="/openapi.json">OpenAPI document</a> holds everything it shows.</p></main></noscript>
</div>
</body>
</html>
`;
}
