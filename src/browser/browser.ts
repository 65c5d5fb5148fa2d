export type { Menus, Permissions, Runtime, Tabs } from 'webextension-polyfill';
export { default } from 'webextension-polyfill';
