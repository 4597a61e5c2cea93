/** How long each space keeps the samples of its machines: the one module that writes it. */
export { createRetentionModule } from './retention-module.ts'
export { createSpaceLengths } from './space-lengths.ts'
