import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import { contractWithoutZod } from '../../build/contract-without-zod.ts'

/** Builds the page of the kit as the console is built, and serves it on loopback until it is closed. */
export async function serveKit(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'busbar-kit-'))
  const shared = { configFile: false, root: import.meta.dirname, logLevel: 'silent' } as const
  await build({
    ...shared,
    mode: 'production',
    plugins: [contractWithoutZod(), react()],
    build: { outDir, target: 'es2023', assetsInlineLimit: 0 },
  })
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  return {
    url: `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
