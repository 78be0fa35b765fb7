"""The project's tests; `support` holds the servers, proxies and gauges that they share."""
