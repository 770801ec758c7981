export function portOf(environment) {
  return Number(environment.PORT ?? 8000);
}

export const health = '/health';
