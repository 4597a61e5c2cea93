// `npm run pin-images`: names the images of Dockerfile and compose files by their digests, so that a registry cannot give
// others under the same tag. Run it again to take newer images of the tags.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './checkout.mjs'
import { describeFailure, lastLines, runCommand } from './run-command.mjs'

export const filesWithImages = ['Dockerfile', 'compose.yaml', 'compose.nodes.yaml']

/** An image with a tag, and maybe the digest of the last time. One that is built here has no tag. */
const reference = /^(\s*image:\s*|ARG BASE=)([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?\s*$/

/**
 * Asks the registry, through Docker, for the digest of an image's list of all processors.
 * @param {string} image such as `postgres:18`
 * @returns {Promise<string>} `sha256:…`
 */
export async function askDigest(image) {
  const format = '{{.Manifest.Digest}}'
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', format]
  const { code, output } = await runCommand('docker', args)
  const [digest] = /sha256:[0-9a-f]{64}/.exec(output) ?? []
  if (code === 127) throw new Error('docker is not there: it asks the registry for the digests.')
  if (code !== 0 || !digest)
    throw new Error(`The digest of ${image} is not to be had:\n${lastLines(output, 5)}`)
  return digest
}

/**
 * @param {string} text of a Dockerfile or a compose file
 * @param {(image: string) => Promise<string>} digestOf
 * @returns {Promise<string>} the text with the digest behind each tag
 */
export async function pinImages(text, digestOf) {
  const lines = text.split('\n').map(async (line) => {
    const [, before, image] = reference.exec(line) ?? []
    return image ? `${before}${image}@${await digestOf(image)}` : line
  })
  return (await Promise.all(lines)).join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const texts = await Promise.all(
      filesWithImages.map((file) => pinImages(readFileSync(join(root, file), 'utf8'), askDigest)),
    )
    // After all answers: either every file is pinned or none.
    for (const [place, file] of filesWithImages.entries()) writeFileSync(join(root, file), texts[place] ?? '')
    console.log(`pinned by digest: the images of ${filesWithImages.join(', ')}`)
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
