export * from './format.ts'
export { getLang, getText, useLang, useText } from './language.ts'
export type { Text } from './text.ts'
export * from './zone.ts'
