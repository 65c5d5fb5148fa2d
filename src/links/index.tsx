import { render } from 'preact';

render(<h1>Links</h1>, document.getElementById('app') as HTMLElement);
