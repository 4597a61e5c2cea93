import type { DownloadsText } from '../cn/downloads.ts'
import { outside } from './outside.ts'

const words: DownloadsText = {
  title: 'Downloads',
  lead: 'Programs that connect controllers, and reach their ports.',
  columns: { program: 'Program', system: 'System', version: 'Version', size: 'Size', sha256: 'SHA-256' },
  programs: { 'busbar-agent': 'Agent', 'busbar-connect': 'Busbar Connect' },
  systems: {
    'debian-amd64': 'Debian, Ubuntu (64-bit)',
    'debian-arm64': 'Debian, Raspberry Pi OS (ARM, 64-bit)',
    'linux-x64': 'Other Linux (64-bit)',
    'linux-arm64': 'Other Linux (ARM, 64-bit)',
    'windows-x64': 'Windows 10 or later (64-bit)',
    any: 'Any system with Node.js 20 or later',
    'macos-arm64': 'macOS (Apple silicon)',
    'macos-x64': 'macOS (Intel)',
    'busbar-connect/linux-x64': 'Linux (64-bit)',
    'busbar-connect/linux-arm64': 'Linux (ARM, 64-bit)',
  },
  states: {
    signed: 'The list is signed, and the platform checked it with the operator’s public key.',
    unsigned:
      'The platform didn’t check a signature of the list. Use the programs in a network you trust, and compare the SHA-256.',
  },
  verify: 'How to check a download',
  verifySum: 'Compute the SHA-256 of the file and compare it with the table:',
  verifySignature:
    'Check the signature of the list with the public key that the operator of the platform gave you:',
  manifest: 'List',
  signature: 'Signature',
  wrong: {
    title: 'Downloads are closed',
    hint: 'The signature of the list isn’t that of the operator’s key. Tell the operator of the platform.',
  },
  missing: {
    title: 'No programs yet',
    hint: (command) => `The operator makes them with ${command}, or puts them into the folder DOWNLOADS_DIR.`,
  },
  failed: 'The list couldn’t be loaded',
  retry: 'Try again',
}

/** The texts of the programs to download, with those of the parts that the page shares with the sign-in. */
export const downloads = { ...outside, downloads: words }
