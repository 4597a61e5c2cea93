import { fromMobileUrl } from '../../shared/session/mobile-url.ts'

const key = 'busbar.enterWishes'
/** Time that a page may take to open after its link was pressed. */
const requestMsMax = 60_000

/** A person's request to enter a machine's page. */
export interface EnterRequest {
  readonly machineId: number
  /** Undefined: its own page. */
  readonly target: string | undefined
}

/** The request that an address of the console stands for; undefined for any other address. */
export function readEnterRequest(href: string): EnterRequest | undefined {
  const { pathname, searchParams } = fromMobileUrl(new URL(href))
  const machineId = /^\/visit\/(\d+)\/?$/.exec(pathname)?.[1]
  return machineId === undefined
    ? undefined
    : { machineId: Number(machineId), target: searchParams.get('target') || undefined }
}

/** Stores a note that a person pressed in this console, so that the page, maybe in another tab, does not ask. */
export function keepEnterRequest(request: EnterRequest, now = Date.now()): void {
  write([
    ...readNotes(now).filter(([name]) => name !== nameOf(request)),
    [nameOf(request), now + requestMsMax],
  ])
}

/** Whether a person pressed for this page a moment ago; a note is used once. */
export function takeEnterRequest(request: EnterRequest, now = Date.now()): boolean {
  const notes = readNotes(now)
  const others = notes.filter(([name]) => name !== nameOf(request))
  write(others)
  return others.length < notes.length
}

/** Follows every link of the console that enters a machine, however it is pressed. */
export function watchEnterLinks(document: Pick<Document, 'addEventListener'>): void {
  const note = ({ target, isTrusted }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!isTrusted || !link?.href || link.origin !== location.origin) return
    const request = readEnterRequest(link.href)
    if (request) keepEnterRequest(request)
  }
  document.addEventListener('click', note, { capture: true })
  // The middle button, which opens a tab behind this one.
  document.addEventListener('auxclick', note, { capture: true })
}

type Note = readonly [name: string, until: number]

const nameOf = ({ machineId, target = 'page' }: EnterRequest): string => `${machineId} ${target}`

/** The valid notes; none in a browser without storage or with an entry that this version does not know. */
function readNotes(now: number): Note[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((note): note is Note => isNote(note) && note[1] > now) : []
  } catch {
    return []
  }
}

function isNote(note: unknown): note is Note {
  return Array.isArray(note) && typeof note[0] === 'string' && typeof note[1] === 'number'
}

/** A browser without storage is asked each time. */
function write(notes: readonly Note[]): void {
  try {
    if (notes.length) localStorage.setItem(key, JSON.stringify(notes))
    else localStorage.removeItem(key)
  } catch {}
}
