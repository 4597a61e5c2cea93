import { iconPaths } from './icon-paths.ts'
import { morePaths } from './more-icon-paths.ts'

// Loaded with everything behind the sign-in, and with its later layers.
Object.assign(iconPaths, morePaths)
