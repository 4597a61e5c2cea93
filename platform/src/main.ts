import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { chooseDataDir } from './kernel/database/data-dir.ts'
import { keepYoungHeapSmall } from './kernel/start-memory.ts'

/* The program's first step, before the rest of it is read: how it is compiled and how its heap grows. */

keepYoungHeapSmall()
const dataDir = process.env.DATA_DIR || chooseDataDir(path.resolve(import.meta.dirname, '../..'))
// Compiled code is cached, without stripping its types again. The folder is as private as the data, because its
// contents are executed.
if (existsSync(dataDir)) enableCompileCache(path.join(dataDir, 'compile-cache'))

const { main } = await import('./run.ts')
await main()
