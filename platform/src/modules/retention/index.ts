/** The retention of each space's samples: the only module that writes it. */
export { createRetentionModule } from './retention-module.ts'
export { createSpaceLengths } from './space-lengths.ts'
