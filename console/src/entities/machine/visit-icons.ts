/** Path data in the console's 24 × 24 box; here, so that only pages with visits load them. */
export const visitIcons = {
  enter: 'M4.6 9a8 8 0 1 1 0 6M3.5 12h10M10 8.5l3.5 3.5-3.5 3.5',
  leave: 'M9 4.5H4.5v15H9M9.5 12h10.5M16.5 8.5 20 12l-3.5 3.5',
  page: 'M13.5 4.5h6v6M19.5 4.5 11 13M10 5.5H4.5v14h14V14',
  control:
    'M12 12.5a4 4 0 1 1 0-8 4 4 0 0 1 0 8M12 12.5V18M6 21v-1.5c0-1 .7-1.5 1.5-1.5h9c.8 0 1.5.5 1.5 1.5V21M5 21h14',
  edit: 'M5 19h3.5L19 8.5 15.5 5 5 15.5zM13 7.5l3.5 3.5',
} as const
