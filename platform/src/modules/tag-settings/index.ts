/** The settings that the keys of a machine make for its tags, by a form or by a file. */
export { createTagSettingsModule } from './tag-settings-module.ts'
