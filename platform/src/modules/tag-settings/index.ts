/** What the keys of a machine say about its tags, by a form or by a file. */
export { createTagSettingsModule } from './tag-settings-module.ts'
