// The least that a script can do: one request with global fetch, its stream read by hand, the text printed.
const [url, prompt] = process.argv.slice(2);
const body = JSON.stringify({
  model: "claude-sonnet-4-5",
  max_tokens: 8_192,
  stream: true,
  messages: [{ role: "user", content: prompt }],
});
const response = await fetch(`${url}/v1/messages`, {
  method: "POST",
  headers: {
    "content-type": "application/json",
    "x-api-key": "sk-ant-test",
    "anthropic-version": "2023-06-01",
  },
  body,
});
const decoder = new TextDecoder();
let rest = "";
let text = "";
for await (const chunk of response.body) {
  rest += decoder.decode(chunk, { stream: true });
  for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
    const event = JSON.parse(rest.slice(rest.indexOf("data: ") + 6, end));
    if (event.delta?.type === "text_delta") text += event.delta.text;
    rest = rest.slice(end + 2);
  }
}
console.log(text);
