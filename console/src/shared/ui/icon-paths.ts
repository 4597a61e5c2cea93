import { firstPaths } from './first-icon-paths.ts'
import type { morePaths } from './more-icon-paths.ts'

/* Path data in a 24 × 24 box, drawn with strokes of 1.5 px. One drawing language: square corners slightly rounded. */

export type IconName = keyof typeof firstPaths | keyof typeof morePaths

/** The path of each icon: those of the sign-in, and the others once their file is loaded. */
export const iconPaths: Partial<Record<IconName, string>> = { ...firstPaths }
