import type { morePaths } from './more-icon-paths.ts'

/** Path data in a 24 × 24 box, drawn with strokes of 1.5 px. One drawing language: square corners slightly rounded. */
const firstPaths = {
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm6.5 9.5 5.5 5.5 5.5-5.5',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 8v4.2l2.8 1.8',
  close: 'm6.5 6.5 11 11M17.5 6.5l-11 11',
  eye: 'M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12M12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6',
  eyeOff:
    'm4 4 16 16M9.6 6.1a9 9 0 0 1 2.4-.3c6 0 9.2 6.2 9.2 6.2a16 16 0 0 1-2.6 3.3M6.2 7.4A15 15 0 0 0 2.8 12S6 18.2 12 18.2a9 9 0 0 0 4.3-1.1M10 10a2.8 2.8 0 0 0 4 4',
  globe:
    'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M4.2 12h15.6M12 4c2.2 2.3 3.3 5 3.3 8s-1.1 5.7-3.3 8c-2.2-2.3-3.3-5-3.3-8s1.1-5.7 3.3-8',
  info: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 11v5M12 7.8v.4',
  mail: 'M4 6h16v12H4zM4.5 7l7.5 6 7.5-6',
  moon: 'M19.5 14.2A7.8 7.8 0 0 1 9.8 4.5a7.8 7.8 0 1 0 9.7 9.7',
  offline:
    'm4 4 16 16M5 10.5a10.5 10.5 0 0 1 3.3-2.2M12 7c2.7 0 5.1 1.1 7 3M8.2 14a5.5 5.5 0 0 1 3.1-1.5M12 18h.01',
  phone: 'M7.5 3.5h9v17h-9zM11 17.5h2',
  refresh: 'M19 12a7 7 0 1 1-2.1-5M19.5 4v4h-4',
  search: 'M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12M15 15l4.8 4.8',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 3v1.7M12 19.3V21M3 12h1.7M19.3 12H21M5.7 5.7l1.2 1.2M17.1 17.1l1.2 1.2M18.3 5.7l-1.2 1.2M6.9 17.1l-1.2 1.2',
  warning: 'M12 4.5 3.5 19.5h17zM12 10v4.5M12 17v.2',
} as const

export type IconName = keyof typeof firstPaths | keyof typeof morePaths

/** The path of each icon: those of the sign-in, and the others once their file is loaded. */
export const iconPaths: Partial<Record<IconName, string>> = { ...firstPaths }
