FROM reelgate.local/debian
COPY versitygw /usr/local/bin/
