import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { composePages } from './compose.ts'
import { Fonts } from './fonts.ts'
import type { PrintAnswer, PrintOrder } from './print.ts'
import { toPdf } from './to-pdf.ts'
import { toSvg } from './to-svg.ts'

/* One report each: the fonts take 100 MB, which are given back when the thread ends. */

/** Lower priority than threads that serve requests. */
const niceness = 5

// On Linux 0 is the calling thread; elsewhere it would be the whole platform.
if (process.platform === 'linux') setPriority(0, niceness)

const { data, picturesMax } = workerData as PrintOrder
const fonts = new Fonts()
const pages = composePages(data, fonts)
const answer: PrintAnswer =
  picturesMax === undefined
    ? {
        pages: pages.length,
        pdf: await toPdf(pages, fonts, {
          title: data.name,
          author: data.brand.name,
          lang: data.lang,
          madeAt: data.madeAt,
        }),
        pictures: [],
      }
    : {
        pages: pages.length,
        pdf: new Uint8Array(),
        pictures: pages.slice(0, picturesMax).map((page) => toSvg(page, fonts)),
      }
parentPort?.postMessage(answer)
