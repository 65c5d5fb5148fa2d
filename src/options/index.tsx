import { render } from 'preact';

render(<h1>Options</h1>, document.getElementById('app') as HTMLElement);
