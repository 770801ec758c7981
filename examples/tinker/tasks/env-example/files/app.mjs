const port = process.env.APP_PORT ?? '3000';
const level = process.env.LOG_LEVEL ?? 'info';
const token = process.env.API_TOKEN;
console.log(port, level, token === undefined);
