import { type PortKind, portKinds } from '@busbar/link'

export const isPortKind = (text: string): text is PortKind => portKinds.some((kind) => kind === text)
