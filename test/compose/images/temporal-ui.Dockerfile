FROM reelgate.local/debian
RUN useradd --uid 1000 temporal
WORKDIR /home/ui-server
COPY ui-server start-ui-server.sh ./
COPY config config
USER temporal
ENTRYPOINT ["./start-ui-server.sh"]
