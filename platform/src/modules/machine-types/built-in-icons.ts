import type { operator as contract } from '@busbar/contract'

/** Icons for places without room for a picture: strokes in a 24 × 24 box, drawn at 1.5 px. */
export const builtInIcons: Readonly<Record<contract.BuiltInPicture, string>> = {
  machine: 'M4 5h16v11H4zM8 20h8M12 16v4',
  'injection-press': 'M4 4h16M4 20h16M7 4v16M17 4v16M7 9h10M7 15h10',
  chiller: 'M12 3v18M4.2 7.5l15.6 9M19.8 7.5l-15.6 9M9.5 4.5 12 7l2.5-2.5M9.5 19.5 12 17l2.5 2.5',
  'pump-station':
    'M12 3.5c3.5 4 5.5 6.8 5.5 9.8a5.5 5.5 0 0 1-11 0c0-3 2-5.8 5.5-9.8zM9.5 14a2.5 2.5 0 0 0 2.5 2.5',
  cnc: 'M3 18h18M5 18V9h5v9M10 12h6l3 2-3 2h-6M7.5 9V6',
  'machining-centre': 'M4 20h16M6 20V8l4-4h8v16M10 4v4H6M13 9h3v4h-3zM14.5 13v3',
  compressor: 'M4 9h16v8H4zM7 9V6h5v3M7 17v3M17 17v3M9 13h0M15 13a1.5 1.5 0 1 0 .01 0',
  oven: 'M4 4h16v16H4zM4 8h16M7.5 6h0M10.5 6h0M7 11.5h10v5.5H7z',
  'water-plant':
    'M3 9c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0 3-1.5 4.5 0 3 1.5 4.5 0M3 15c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0 3-1.5 4.5 0 3 1.5 4.5 0',
  'cooling-tower': 'M7 3h10l-2 8 3 10H6l3-10zM9 11h6M8 16h8',
  packaging: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  oxidiser:
    'M6 20h12M8 20V9h8v11M6 5c1-1 1-1.5 0-3M12 6c1-1 1-1.5 0-3M18 5c1-1 1-1.5 0-3M12 17c-1.500-1-1.500-2.500 0-4.500 1.500 2 1.500 3.500 0 4.500z',
  tank: 'M6 6c0-1.500 3-2.500 6-2.500s6 1 6 2.500v10c0 1.500-3 2.500-6 2.500s-6-1-6-2.500zM6 11c2-1.500 4-1.500 6 0s4 1.500 6 0M8 18v3M16 18v3',
  plc: 'M3 5h11v9H3zM5 11l2-2 2 1.500 3-3.500M6 18h5M17 5h4v14h-4zM17 9h4M19 12.500h0M19 15.500h0',
  feeder: 'M4 4h16l-5 7v4H9v-4zM12 15v3M8 20h8',
  pasteuriser: 'M9 3h6v8.500a4.500 4.500 0 1 1-6 0zM9 8h6M12 12v5M19 5v6M19 14h0',
}
