import { render } from 'preact';

render(<h1>Terse</h1>, document.getElementById('app') as HTMLElement);
